import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../crash/random.ts'
import { translateTests } from '../translation/translate-tests.ts'
import { type Area, areas } from './areas.ts'
import { createInstrumentedCopy, type Mutant } from './instrumented-copy.ts'
import { type CoveringTest, createMutantTests, type MutantTest, type MutantTests } from './test-runner.ts'

/*
 * Changes the sources in many small ways, one at a time, and shows which changes no test notices.
 *
 *   npm run test:mutation -- [area …] [--sample N] [--seed WORD] [--least PERCENT]
 *
 * Without --sample it tries all mutants, which takes hours. Ends with 1 if fewer than --least are noticed.
 */
const root = join(import.meta.dirname, '../..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: 'mortise' },
    least: { type: 'string', default: '80' },
  },
})

interface Verdict {
  readonly mutant: Mutant
  /** The test that failed with it; `undefined` if none did. */
  readonly noticedBy: string | undefined
}

/** The percentage of mutants that the tests of an area notice; prints those that they do not. */
async function examine(area: Area): Promise<number> {
  const copy = await createInstrumentedCopy(root, area)
  try {
    const tests = createMutantTests(copy.root, await translateTests(copy.root))
    const covering = await cover(tests, testsOf(area))
    const mutants = sample(copy.mutants)
    console.log(`${area.name}: ${mutants.length} of ${copy.mutants.length} mutants, ${covering.length} tests`)
    const verdicts = await atOnce(mutants, (mutant) => tryMutant(tests, covering, mutant))
    return report(area, verdicts)
  } finally {
    copy.remove()
  }
}

function testsOf({ tests, databases = ['sqlite'] }: Area): MutantTest[] {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file))
    .filter((file) => file.endsWith('.test.ts') && tests.some((word) => file.includes(word)))
    .sort()
  return databases.flatMap((database) => files.map((file) => ({ file, database })))
}

/** The fastest test first, since the first one that fails is enough. */
async function cover(tests: MutantTests, all: readonly MutantTest[]): Promise<CoveringTest[]> {
  const covering = await atOnce(all, async (test) => {
    const covered = await tests.cover(test)
    if (covered === undefined) {
      console.log(`  left out: ${test.file} on ${test.database}, which fails without any mutant`)
    }
    return covered
  })
  return covering.filter((test) => test !== undefined).sort((one, other) => one.durationMs - other.durationMs)
}

function sample(mutants: readonly Mutant[]): readonly Mutant[] {
  const { below } = createRandom(values.seed)
  const left = [...mutants]
  const picked: Mutant[] = []
  while (left.length > 0 && picked.length < Number(values.sample)) {
    picked.push(...left.splice(below(left.length), 1))
  }
  return picked
}

async function tryMutant(
  tests: MutantTests,
  covering: readonly CoveringTest[],
  mutant: Mutant,
): Promise<Verdict> {
  for (const test of covering.filter(({ mutants }) => mutants.has(mutant.id))) {
    if ((await tests.run(test, mutant.id)) === 'failed') return { mutant, noticedBy: test.file }
  }
  const { file, line, kind, replacement } = mutant
  console.log(`  survived: ${file}:${line} ${kind}: ${replacement.replace(/\s+/g, ' ').slice(0, 100)}`)
  return { mutant, noticedBy: undefined }
}

function report({ name }: Area, verdicts: readonly Verdict[]): number {
  const noticed = verdicts.filter(({ noticedBy }) => noticedBy !== undefined).length
  const percentage = verdicts.length === 0 ? 100 : (100 * noticed) / verdicts.length
  console.log(`${name}: ${noticed} of ${verdicts.length} mutants were noticed (${percentage.toFixed(1)} %)`)
  return percentage
}

async function atOnce<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>) {
  const results: Result[] = []
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) results.push(await run(item))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, lane))
  return results
}

const chosen = areas.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
if (chosen.length === 0) throw new Error(`the areas are ${areas.map(({ name }) => name).join(', ')}`)
for (const area of chosen) {
  if ((await examine(area)) < Number(values.least)) process.exitCode = 1
}
