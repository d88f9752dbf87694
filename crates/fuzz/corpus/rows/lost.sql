delete from events where sequence = 7;
