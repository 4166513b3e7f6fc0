import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/*
 * `npm run check`: types, lint and import rules, all at the same time. Prints what each has to say when it has ended.
 */
const steps = [
  ['tsc'],
  ['tsc', '-p', 'client'],
  ['tsc', '-p', 'core-plugins/panel/admin-panel/app'],
  ['biome', 'check', '.'],
  ['tsx', '--test', '--test-reporter=dot', 'test/architecture.test.ts'],
] as const

async function passes([command, ...args]: (typeof steps)[number]): Promise<boolean> {
  // npm puts the programs of packages on the path; on Windows they are scripts.
  const child = spawn(command, args, {
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  console.log(
    [`${code === 0 ? 'passes' : 'FAILS'}: ${command} ${args.join(' ')}`, output.trim(), problems.trim()]
      .join('\n')
      .trim(),
  )
  return code === 0
}

const results = await Promise.all(steps.map(passes))
process.exitCode = results.every(Boolean) ? 0 : 1
