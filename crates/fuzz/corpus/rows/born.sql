update trials set born = born + 100;
