import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startDatabaseServers } from '../support/databases.ts'
import { translateTests } from '../translation/translate-tests.ts'
import { seed } from './kill-plan.ts'

/**
 * Runs the scenarios, or those whose file name contains one of the words given. Each test file kills real processes of
 * the service; CRASH_SEED repeats the moments of an earlier run, CRASH_KILLS sets how many kills a scenario has.
 */
const root = join(import.meta.dirname, '../..')
/**
 * More than there are cores, as a good part of each is waiting for leases to run out; and so many that none of the long
 * ones is left over at the end.
 */
const filesAtOnce = 6

function scenarioFiles(words: readonly string[]): string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.crash.ts'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .map((file) => join('test/crash', file))
    .sort()
}

async function run(files: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const { options, translationOf } = await translateTests()
  const runner = ['--test', `--test-concurrency=${filesAtOnce}`, '--test-reporter=spec']
  const args = [...options, ...runner, ...files.map(translationOf)]
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

console.log(`CRASH_SEED=${seed}`)
const servers = await startDatabaseServers()
const files = scenarioFiles(process.argv.slice(2))
process.exitCode = await run(files, { ...process.env, ...servers.env, CRASH_SEED: seed }).finally(() =>
  servers.stop(),
)
for (const line of servers.skipped) console.log(`Skipped ${line}`)
