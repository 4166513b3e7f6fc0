// @ts-check
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Imported before everything else by each process of a test: writes down at its end which mutants it has met,
 * into the folder that MUTANT_COVERAGE names.
 */

process.on('exit', () => {
  const folder = process.env.MUTANT_COVERAGE
  const met = Reflect.get(globalThis, '__stryker__')?.mutantCoverage?.static
  if (folder !== undefined && met !== undefined) {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(Object.keys(met)))
  }
})
