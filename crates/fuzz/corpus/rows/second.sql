insert into studies (name, created_at, space, options) select 'second', 5, space, options from studies;
