update studies set options = '{"strategy":{"kind":"future"}}';
