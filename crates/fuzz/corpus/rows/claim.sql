insert into events (study, sequence, at, kind, trial, body) values (1, 26, 0, 'claimed', 2, '{"kind":"claimed","trial":2,"worker":"w"}');
