import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { buildApp } from '../core-plugins/admin-panel/build/build-app.ts'
import { dealToGroups, writeGroup } from './runner/groups.ts'
import { startDatabaseServers } from './support/databases.ts'
import { translateTests } from './translation/translate-tests.ts'

/*
 *   npm test -- [word …] [--coverage] [--retry]
 *
 * Runs the test files that have one of the words in their path, or all. Coverage takes a tenth more of the processor. With
 * `--retry`, a few files that fail run once more, alone: what passes then is named as flaky, and is a fault to be mended,
 * but does not hide whether the change at hand has broken something.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { coverage: { type: 'boolean', default: false }, retry: { type: 'boolean', default: false } },
})

const root = join(import.meta.dirname, '..')
const coverageDirectory = join(root, 'coverage')
const temporary = join(coverageDirectory, 'tmp')
const summaryFile = join(coverageDirectory, 'summary.tap')
/** A process that takes longer hangs, and would let the whole run hang. */
const longestProcessMs = 1_800_000
/** Where more files fail than this, chance is not to blame. */
const mostRetried = 6
const c8 = createRequire(import.meta.url).resolve('c8/bin/c8.js')

/** The test files whose path contains one of the words, or all of them. */
function testFiles(words: readonly string[]): string[] {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => join('test', file))
  return files.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).sort()
}

async function run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

/** The counts of the whole run, which node's runner writes last. */
function closingLines(): string {
  const lines = readFileSync(summaryFile, 'utf8').trimEnd().split('\n')
  return lines.slice(lines.findLastIndex((line) => /^\d+\.\.\d+$/.test(line)) + 1).join('\n')
}

async function runTests(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const translated = await translateTests()
  // Otherwise each of the files that run first builds it.
  if (files.some((file) => file.includes('admin-panel'))) await buildApp()
  const sources = new Map(files.map((file) => [translated.translationOf(file), file]))
  // More than there are cores: there is always a file that waits for a database, the disk or a moment.
  const concurrency = availableParallelism() + 2
  const groups = dealToGroups(
    Array.from(sources, ([translation, source]) => ({ source, translation })),
    concurrency,
  )
  const scripts = groups.map((group, index) => writeGroup(temporary, index, group))
  const code = await run([...translated.options, ...nodeOptions(concurrency), ...scripts], env)
  const failed = failedFiles(sources)
  // What has not failed in a test of its own, such as a process that died, cannot be repeated alone.
  const isRepeatable = failed.every((file) => files.includes(file))
  if (code === 0 || !values.retry || !isRepeatable || failed.length === 0 || failed.length > mostRetried)
    return code
  console.log(`Run again, alone: ${failed.join(', ')}`)
  const secondCode = await run(
    [...translated.options, ...nodeOptions(1), ...failed.map(translated.translationOf)],
    env,
  )
  if (secondCode === 0) console.log(`Flaky, since they have passed the second time: ${failed.join(', ')}`)
  return secondCode
}

/**
 * Short processes: code is optimised later than by default, which saves a seventh of the processor. Node 22 has a compiler for
 * code like that, and refuses the option.
 */
const optimiseLater = process.versions.node.startsWith('20.') ? ['--interrupt-budget=1000000'] : []

const nodeOptions = (concurrency: number) => [
  ...optimiseLater,
  '--test',
  `--test-timeout=${longestProcessMs}`,
  `--test-concurrency=${concurrency}`,
  ...reporter('spec', 'stdout'),
  ...reporter('tap', summaryFile),
]

const reporter = (name: string, destination: string) => [
  `--test-reporter=${name}`,
  `--test-reporter-destination=${destination}`,
]

/** Where a test has failed, in what node's runner writes in TAP. */
const failure = /^\s*not ok .*\n\s*---\n(?:.*\n){0,2}?\s*location: '(.+):\d+:\d+'$/gm

/** The files that have failed, which the runner names by their translations where no single test is to blame. */
const failedFiles = (sources: ReadonlyMap<string, string>) => {
  const found = [...readFileSync(summaryFile, 'utf8').matchAll(failure)].map(([, file = '']) => file)
  return [...new Set(found.map((file) => sources.get(file) ?? relative(root, file)))]
}

const reportCoverage = () =>
  run(
    [
      c8,
      'report',
      `--temp-directory=${temporary}`,
      `--reports-dir=${coverageDirectory}`,
      '--reporter=lcov',
      '--reporter=text-summary',
      // What ran are translations in node_modules; their source maps tell what of.
      '--exclude-node-modules=false',
      '--exclude-after-remap',
      ...['kernel/**', 'core-plugins/**', 'plugins/**', 'cli/**', '*.ts'].map((glob) => `--include=${glob}`),
    ],
    process.env,
  )

process.chdir(root)
rmSync(coverageDirectory, { recursive: true, force: true })
mkdirSync(temporary, { recursive: true })
const servers = await startDatabaseServers()
const code = await runTests(testFiles(positionals), {
  ...process.env,
  ...servers.env,
  ...(values.coverage ? { NODE_V8_COVERAGE: temporary } : {}),
}).finally(() => servers.stop())
if (values.coverage) await reportCoverage()
rmSync(temporary, { recursive: true, force: true })
for (const line of servers.skipped) console.log(`Skipped ${line}`)
console.log(closingLines())
process.exitCode = code
