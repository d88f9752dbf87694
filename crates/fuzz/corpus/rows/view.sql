drop table trials; create view trials as select 1 as study, 1 as number;
