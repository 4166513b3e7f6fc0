// @ts-check
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

/*
 * Imported before everything else by each process and thread of a test: writes down which mutants it meets, into a file
 * of the folder that MUTANT_COVERAGE names. At once, as threads and processes may end without a word.
 */

const folder = process.env.MUTANT_COVERAGE
if (folder !== undefined) {
  const file = join(folder, `${process.pid}-${threadId}`)
  /** @type {ProxyHandler<Record<string, number>>} */
  const recorder = {
    set(met, id, count) {
      if (!(id in met)) appendFileSync(file, `${String(id)}\n`)
      return Reflect.set(met, id, count)
    },
  }
  Reflect.set(globalThis, '__stryker__', { mutantCoverage: { static: new Proxy({}, recorder), perTest: {} } })
}
