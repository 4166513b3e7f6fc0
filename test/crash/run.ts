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
/** More than there are cores: a good part of each is waiting for leases to run out. */
const filesAtOnce = 4

/** They come first: one that is left over at the end keeps everybody waiting. */
const longest = ['restoring', 'backing-up', 'uploading']
const isLong = (file: string) => longest.some((name) => file.startsWith(name))

function scenarioFiles(words: readonly string[]): string[] {
  return readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.crash.ts'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort((left, right) => Number(isLong(right)) - Number(isLong(left)) || (left < right ? -1 : 1))
    .map((file) => join('test/crash', file))
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
