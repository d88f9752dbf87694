update trials set stage = 0 where number = 3;
