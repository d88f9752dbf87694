update events set body = replace(body, '0.2', '0.7') where kind = 'told';
