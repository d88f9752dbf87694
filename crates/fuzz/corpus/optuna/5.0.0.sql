-- Written by Optuna 5.0.0: 40 trials of a random sampler over a space that its objective finds while it runs.
CREATE TABLE studies ( study_id INTEGER NOT NULL, study_name VARCHAR(512) NOT NULL, PRIMARY KEY (study_id) );
INSERT INTO studies (study_id, study_name) VALUES
(1, 'cash');
;
CREATE TABLE study_directions ( study_direction_id INTEGER NOT NULL, direction VARCHAR(8) NOT NULL, study_id INTEGER NOT NULL, objective INTEGER NOT NULL, PRIMARY KEY (study_direction_id), UNIQUE (study_id, objective), FOREIGN KEY(study_id) REFERENCES studies (study_id) );
INSERT INTO study_directions (study_direction_id, direction, study_id, objective) VALUES
(1, 'MINIMIZE', 1, 0);
;
CREATE TABLE trials ( trial_id INTEGER NOT NULL, number INTEGER, study_id INTEGER, state VARCHAR(8) NOT NULL, datetime_start DATETIME, datetime_complete DATETIME, PRIMARY KEY (trial_id), FOREIGN KEY(study_id) REFERENCES studies (study_id) );
INSERT INTO trials (trial_id, number, study_id, state, datetime_start, datetime_complete) VALUES
(1, 0, 1, 'COMPLETE', '2026-11-16 02:03:58.193372', '2026-11-16 02:03:58.494405'),
(2, 1, 1, 'COMPLETE', '2026-11-16 02:03:58.565666', '2026-11-16 02:03:58.821150'),
(3, 2, 1, 'COMPLETE', '2026-11-16 02:03:58.874217', '2026-11-16 02:03:59.024598'),
(4, 3, 1, 'COMPLETE', '2026-11-16 02:03:59.060285', '2026-11-16 02:03:59.307469'),
(5, 4, 1, 'COMPLETE', '2026-11-16 02:03:59.358428', '2026-11-16 02:03:59.593376'),
(6, 5, 1, 'COMPLETE', '2026-11-16 02:03:59.646048', '2026-11-16 02:03:59.771208'),
(7, 6, 1, 'COMPLETE', '2026-11-16 02:03:59.811312', '2026-11-16 02:04:00.088955'),
(8, 7, 1, 'FAIL', '2026-11-16 02:04:00.135408', '2026-11-16 02:04:00.343978'),
(9, 8, 1, 'COMPLETE', '2026-11-16 02:04:00.386816', '2026-11-16 02:04:00.513694'),
(10, 9, 1, 'PRUNED', '2026-11-16 02:04:00.563427', '2026-11-16 02:04:00.833181'),
(11, 10, 1, 'COMPLETE', '2026-11-16 02:04:00.900029', '2026-11-16 02:04:01.168989'),
(12, 11, 1, 'COMPLETE', '2026-11-16 02:04:01.214160', '2026-11-16 02:04:01.478454'),
(13, 12, 1, 'COMPLETE', '2026-11-16 02:04:01.545755', '2026-11-16 02:04:01.695783'),
(14, 13, 1, 'COMPLETE', '2026-11-16 02:04:01.743541', '2026-11-16 02:04:02.044282'),
(15, 14, 1, 'COMPLETE', '2026-11-16 02:04:02.101116', '2026-11-16 02:04:02.303162'),
(16, 15, 1, 'COMPLETE', '2026-11-16 02:04:02.343114', '2026-11-16 02:04:02.474774'),
(17, 16, 1, 'COMPLETE', '2026-11-16 02:04:02.530083', '2026-11-16 02:04:02.665110'),
(18, 17, 1, 'COMPLETE', '2026-11-16 02:04:02.718751', '2026-11-16 02:04:02.971034'),
(19, 18, 1, 'COMPLETE', '2026-11-16 02:04:03.019129', '2026-11-16 02:04:03.271620'),
(20, 19, 1, 'COMPLETE', '2026-11-16 02:04:03.322329', '2026-11-16 02:04:03.456264'),
(21, 20, 1, 'COMPLETE', '2026-11-16 02:04:03.505850', '2026-11-16 02:04:03.726813'),
(22, 21, 1, 'COMPLETE', '2026-11-16 02:04:03.782869', '2026-11-16 02:04:04.032216'),
(23, 22, 1, 'COMPLETE', '2026-11-16 02:04:04.077860', '2026-11-16 02:04:04.273279'),
(24, 23, 1, 'COMPLETE', '2026-11-16 02:04:04.318074', '2026-11-16 02:04:04.553441'),
(25, 24, 1, 'COMPLETE', '2026-11-16 02:04:04.602079', '2026-11-16 02:04:04.731747'),
(26, 25, 1, 'COMPLETE', '2026-11-16 02:04:04.801973', '2026-11-16 02:04:05.039620'),
(27, 26, 1, 'COMPLETE', '2026-11-16 02:04:05.096753', '2026-11-16 02:04:05.368102'),
(28, 27, 1, 'COMPLETE', '2026-11-16 02:04:05.411215', '2026-11-16 02:04:05.671971'),
(29, 28, 1, 'COMPLETE', '2026-11-16 02:04:05.714621', '2026-11-16 02:04:05.834663'),
(30, 29, 1, 'COMPLETE', '2026-11-16 02:04:05.900911', '2026-11-16 02:04:06.150737');
CREATE TABLE trial_params ( param_id INTEGER NOT NULL, trial_id INTEGER, param_name VARCHAR(512), param_value FLOAT, distribution_json TEXT, PRIMARY KEY (param_id), UNIQUE (trial_id, param_name), FOREIGN KEY(trial_id) REFERENCES trials (trial_id) );
INSERT INTO trial_params (param_id, trial_id, param_name, param_value, distribution_json) VALUES
(1, 1, 'model', 1.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(2, 1, 'layers', 2.0, '{"name": "IntDistribution", "attributes": {"log": false, "step": 1, "low": 1, "high": 3}}'),
(3, 1, 'units0', 47.0, '{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 4, "high": 64}}'),
(4, 1, 'units1', 48.0, '{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 4, "high": 64}}'),
(5, 2, 'model', 1.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(6, 2, 'layers', 2.0, '{"name": "IntDistribution", "attributes": {"log": false, "step": 1, "low": 1, "high": 3}}'),
(7, 2, 'units0', 4.0, '{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 4, "high": 64}}'),
(8, 2, 'units1', 13.0, '{"name": "IntDistribution", "attributes": {"log": true, "step": 1, "low": 4, "high": 64}}'),
(9, 3, 'model', 2.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(10, 4, 'model', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(11, 4, 'kernel', 1.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["rbf", "linear"]}}'),
(12, 4, 'svm.C', 0.006843067402562015, '{"name": "FloatDistribution", "attributes": {"step": null, "low": 1e-05, "high": 100000.0, "log": true}}'),
(13, 5, 'model', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(14, 5, 'kernel', 1.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["rbf", "linear"]}}'),
(15, 5, 'svm.C', 0.011578047414542637, '{"name": "FloatDistribution", "attributes": {"step": null, "low": 1e-05, "high": 100000.0, "log": true}}'),
(16, 6, 'model', 2.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(17, 7, 'model', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(18, 7, 'kernel', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["rbf", "linear"]}}'),
(19, 7, 'svm.C', 8.359303410192588e-05, '{"name": "FloatDistribution", "attributes": {"step": null, "low": 1e-05, "high": 100000.0, "log": true}}'),
(20, 7, 'gamma', 0.75, '{"name": "FloatDistribution", "attributes": {"step": 0.25, "low": 0.0, "high": 1.0, "log": false}}'),
(21, 8, 'model', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(22, 8, 'kernel', 1.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["rbf", "linear"]}}'),
(23, 8, 'svm.C', 0.00492442789220482, '{"name": "FloatDistribution", "attributes": {"step": null, "low": 1e-05, "high": 100000.0, "log": true}}'),
(24, 9, 'model', 2.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(25, 10, 'model', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(26, 10, 'kernel', 0.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["rbf", "linear"]}}'),
(27, 10, 'svm.C', 0.0010322552739533818, '{"name": "FloatDistribution", "attributes": {"step": null, "low": 1e-05, "high": 100000.0, "log": true}}'),
(28, 10, 'gamma', 0.5, '{"name": "FloatDistribution", "attributes": {"step": 0.25, "low": 0.0, "high": 1.0, "log": false}}'),
(29, 11, 'model', 1.0, '{"name": "CategoricalDistribution", "attributes": {"choices": ["svm", "forest", null]}}'),
(30, 11, 'layers', 3.0, '{"name": "IntDistribution", "attributes": {"log": false, "step": 1, "low": 1, "high": 3}}');
CREATE TABLE trial_values ( trial_value_id INTEGER NOT NULL, trial_id INTEGER NOT NULL, objective INTEGER NOT NULL, value FLOAT, value_type VARCHAR(7) NOT NULL, PRIMARY KEY (trial_value_id), UNIQUE (trial_id, objective), FOREIGN KEY(trial_id) REFERENCES trials (trial_id) );
INSERT INTO trial_values (trial_value_id, trial_id, objective, value, value_type) VALUES
(1, 1, 0, 2.484375, 'FINITE'),
(2, 2, 0, 1.265625, 'FINITE'),
(3, 3, 0, NULL, 'INF_POS'),
(4, 4, 0, 0.993156932597438, 'FINITE'),
(5, 5, 0, 0.9884219525854574, 'FINITE'),
(6, 6, 0, NULL, 'INF_POS'),
(7, 7, 0, 1.7499164069658981, 'FINITE'),
(8, 9, 0, NULL, 'INF_POS'),
(9, 10, 0, 1.4989677447260465, 'FINITE'),
(10, 11, 0, 2.296875, 'FINITE'),
(11, 12, 0, 1.34375, 'FINITE'),
(12, 13, 0, NULL, 'INF_POS'),
(13, 14, 0, 1.59375, 'FINITE'),
(14, 15, 0, 1.078125, 'FINITE'),
(15, 16, 0, NULL, 'INF_POS'),
(16, 17, 0, NULL, 'INF_POS'),
(17, 18, 0, 2.34375, 'FINITE'),
(18, 19, 0, 1.375, 'FINITE'),
(19, 20, 0, NULL, 'INF_POS'),
(20, 21, 0, 19025.70022109874, 'FINITE'),
(21, 22, 0, 1.9999455200510199, 'FINITE'),
(22, 23, 0, 201.8062063436987, 'FINITE'),
(23, 24, 0, 0.7734283529485428, 'FINITE'),
(24, 25, 0, NULL, 'INF_POS'),
(25, 26, 0, 82.13331884378687, 'FINITE'),
(26, 27, 0, 256.52776810420465, 'FINITE'),
(27, 28, 0, 1.53125, 'FINITE'),
(28, 29, 0, NULL, 'INF_POS'),
(29, 30, 0, 1.359375, 'FINITE'),
(30, 31, 0, 1.75, 'FINITE');
CREATE TABLE trial_user_attributes ( trial_user_attribute_id INTEGER NOT NULL, trial_id INTEGER, "key" VARCHAR(512), value_json TEXT, PRIMARY KEY (trial_user_attribute_id), UNIQUE (trial_id, "key"), FOREIGN KEY(trial_id) REFERENCES trials (trial_id) );
INSERT INTO trial_user_attributes (trial_user_attribute_id, trial_id, key, value_json) VALUES
(1, 4, 'kernel used', '"linear"'),
(2, 5, 'kernel used', '"linear"'),
(3, 7, 'kernel used', '"rbf"'),
(4, 8, 'kernel used', '"linear"'),
(5, 10, 'kernel used', '"rbf"'),
(6, 21, 'kernel used', '"linear"'),
(7, 22, 'kernel used', '"rbf"'),
(8, 23, 'kernel used', '"linear"'),
(9, 24, 'kernel used', '"linear"'),
(10, 26, 'kernel used', '"linear"'),
(11, 27, 'kernel used', '"rbf"'),
(12, 32, 'kernel used', '"linear"'),
(13, 38, 'kernel used', '"rbf"');
;
CREATE TABLE version_info ( version_info_id INTEGER NOT NULL, schema_version INTEGER, library_version VARCHAR(256), PRIMARY KEY (version_info_id), CHECK (version_info_id=1) );
INSERT INTO version_info (version_info_id, schema_version, library_version) VALUES
(1, 12, '5.0.0');
;
