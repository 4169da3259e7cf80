#!/usr/bin/env node
// The command counterpart-test: contract_tests of the package for this system.
import {runCommand} from '../lib/command.js';

runCommand('contract_tests');
