#!/usr/bin/env node
// The command counterpart-mock: mock_server of the package for this system.
import {runCommand} from '../lib/command.js';

runCommand('mock_server');
