update studies set name = 'b';
