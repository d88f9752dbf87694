update studies set space = '{}';
