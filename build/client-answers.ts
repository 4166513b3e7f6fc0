import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientAnswers } from './client-answers/answers.ts'
import { printAnswers } from './client-answers/print-answers.ts'

/*
 *   npm run client-types [-- --check]
 *
 * Writes the types of the service's answers, derived from the schemas of its routes, to client/answers.ts, or says
 * that they are out of date.
 */
const path = join(import.meta.dirname, '../client/answers.ts')
const text = printAnswers(clientAnswers)
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('client/answers.ts does not say what the routes answer: run `npm run client-types`.')
  process.exitCode = 1
}
