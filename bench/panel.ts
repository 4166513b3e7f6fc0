import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { createCleanup } from './cleanup.ts'
import { startFloor } from './panel/floor.ts'
import { type Measured, measured, measureSide, type Side, type Times } from './panel/measure.ts'
import { editor, floorContent, keptRows, startFilled } from './panel/workspace.ts'
import { describeMachine, formatTable } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { median } from './throughput.ts'

const usage = `npm run bench -- panel [options]
  --rounds N   (5)
  --quick      2 rounds`

/** The panel's page size. */
const firstRows = 100

const panelSide = ({ url }: ServerProcess): Side => {
  const list = { path: '/admin/content/story', shown: 'main [role="rowheader"]' }
  return {
    name: 'panel',
    url,
    async prepare(page) {
      const { username: identifier, password } = editor
      await page.request.post(`${url}/api/admin/auth/login`, { data: { identifier, password } })
    },
    list,
    longList: list,
    entry: { path: '/admin/content/wide/1', shown: '[data-path="field99"] input' },
    go: ({ path }) => `history.pushState(null, '', '${path}')`,
    input: '[data-path="field42"] input',
  }
}

const floorSide = (url: string): Side => ({
  name: 'floor',
  url,
  list: { path: `/rows?count=${firstRows}`, shown: 'tbody tr' },
  longList: { path: `/rows?count=${keptRows}`, shown: 'tbody tr' },
  entry: { path: '/entry', shown: 'form label:nth-child(100) input' },
  go: ({ path }) => `void show('${path.includes('rows') ? 'rows' : 'entry'}')`,
  input: 'form label:nth-child(43) input',
})

interface Round {
  readonly panel: Times
  readonly floor: Times
}

/** The medians of the rounds, and the median of their ratios: both sides of a round ran at about the same time. */
function formatRounds(rounds: readonly Round[]): string {
  const row = (name: Measured): string[] => {
    const panel = rounds.map((round) => round.panel[name])
    const floor = rounds.map((round) => round.floor[name])
    const ratios = panel.map((time, index) => time / (floor[index] ?? Number.NaN))
    return [
      measured[name],
      ...[panel, floor].map((times) => median(times).toFixed(1)),
      median(ratios).toFixed(2),
    ]
  }
  const names = Object.keys(measured) as Measured[]
  return formatTable([['', 'panel ms', 'floor ms', 'ratio'], ...names.map(row)])
}

function readRounds(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  const rounds = Number(values.rounds ?? (values.quick ? 2 : 5))
  if (!(Number.isSafeInteger(rounds) && rounds > 0)) throw new Error(usage)
  return rounds
}

/** Measures the panel in Chromium at a quarter of the processor's speed, against plain pages with the same data. */
async function main(args: readonly string[]): Promise<void> {
  const count = readRounds(args)
  const { node, load } = describeMachine()
  console.log(`Node ${node}, load before ${load.toFixed(1)}`)
  const cleanup = createCleanup()
  try {
    const service = await startFilled(cleanup)
    const floor = await startFloor(floorContent())
    cleanup.add(floor.stop)
    // Makes the service build the panel, if necessary.
    await fetch(`${service.url}/admin`)
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    cleanup.add(() => browser.close())
    const rounds: Round[] = []
    for (let round = 0; round < count; round++) {
      const panel = await measureSide(browser, panelSide(service))
      rounds.push({ panel, floor: await measureSide(browser, floorSide(floor.url)) })
    }
    console.log(`Chromium ${browser.version()}, median of ${count} rounds\n\n${formatRounds(rounds)}`)
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
