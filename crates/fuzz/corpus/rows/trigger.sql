create trigger t after insert on events begin delete from trials; end;
