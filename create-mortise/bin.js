#!/usr/bin/env node
// @ts-check
import { run } from './source/run.js'

process.exitCode = await run(process.argv.slice(2))
