insert into trials (study, number, stage, born) values (1, 99, 0, 5);
