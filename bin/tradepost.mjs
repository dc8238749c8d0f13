#!/usr/bin/env node
import { existsSync } from 'node:fs'

/** Loading the program opens some hundred files at once; where it may not, Node ends with a stack trace. */
const FILES_MIN = 512

const program = new URL('../dist/cli.js', import.meta.url)
// Without it the report asks for the names of those that we are connected with.
process.report.excludeNetwork = true
const files = process.report.getReport().userLimits?.open_files?.soft
if (files < FILES_MIN) refuse(`Only ${files} files may be open at once. Allow more: ulimit -n 1024`)
if (!existsSync(program)) refuse('Tradepost is not built yet: npm run build')
await import(program.href)

/** @param {string} why */
function refuse(why) {
  process.stderr.write(`${why}\n`)
  process.exit(2)
}
