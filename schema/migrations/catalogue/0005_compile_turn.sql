INSERT INTO `counter` (`name`, `value`) VALUES ('compile', 0);
