import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startDatabaseServers } from './support/databases.ts'
import { translateTests } from './translation/translate-tests.ts'

/*
 *   npm test -- [word …] [--coverage]
 *
 * Runs the test files that have one of the words in their path, or all. Coverage takes a tenth more of the processor.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { coverage: { type: 'boolean', default: false } },
})

const root = join(import.meta.dirname, '..')
const coverageDirectory = join(root, 'coverage')
const temporary = join(coverageDirectory, 'tmp')
const summaryFile = join(coverageDirectory, 'summary.tap')
/** A file that takes longer hangs, and would let the whole run hang. */
const longestFileMs = 600_000
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

async function runTests(files: readonly string[], env: NodeJS.ProcessEnv) {
  const translated = await translateTests()
  const options = [
    ...translated.options,
    '--test',
    `--test-timeout=${longestFileMs}`,
    // More than there are cores: there is always a file that waits for a database, the disk or a moment.
    `--test-concurrency=${availableParallelism() + 2}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=tap',
    `--test-reporter-destination=${summaryFile}`,
  ]
  return run([...options, ...files.map(translated.translationOf)], env)
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
