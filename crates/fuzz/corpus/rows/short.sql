delete from events where sequence > 14;
