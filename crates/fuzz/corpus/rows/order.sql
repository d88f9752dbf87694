update events set sequence = sequence + 1 where sequence > 20;
