import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { createDatabase } from './database.ts'
import { editor } from './panel/workspace.ts'
import { startSite } from './preview/site.ts'
import { describeMachine, formatTable } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { signIn, startService } from './service.ts'
import { median } from './throughput.ts'
import { createFolder } from './workspace.ts'

const usage = `npm run bench -- preview [options]
  --keys N   (60)`

const fields = Array.from({ length: 99 }, (_, index) => [`field${index}`, { type: 'string' }])

const page = {
  kind: 'collectionType',
  info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
  pluginOptions: { panel: { preview: { url: '/page' } } },
  attributes: { title: { type: 'string' }, ...Object.fromEntries(fields) },
}

/** Starts a service with an entry of a hundred fields, with previews on an origin. */
async function startFilled(cleanup: Cleanup, origin: string): Promise<ServerProcess> {
  const folder = await createFolder(cleanup)
  const schemasFolder = join(folder, 'schemas')
  await mkdir(schemasFolder)
  await writeFile(join(schemasFolder, 'page.json'), JSON.stringify(page))
  const { url, drop } = await createDatabase('sqlite', folder)
  cleanup.add(drop)
  const environment = { SVC_PREVIEW_ORIGINS: origin, SVC_CORS_ORIGINS: origin }
  const service = await startService({ databaseUrl: url, schemasFolder, folder, environment })
  cleanup.add(service.stop)
  const target = { url: service.url, token: await signIn(service) }
  await call(target, '/api/admin/auth/register', { method: 'POST', body: { ...editor, role: 'super-admin' } })
  await call(target, '/api/content/page', { method: 'POST', body: { title: '-' } })
  return service
}

/** Runs in the panel: records when each key was pressed, by the resulting length of the title. */
const notePressed = `
  globalThis.pressed = []
  document.querySelector('[data-path="title"] input').addEventListener('keydown', ({ target }) => {
    pressed.push([target.value.length + 1, performance.timeOrigin + performance.now()])
  }, { capture: true })
`

/** Milliseconds from each key press until the page has painted it. */
async function timeKeys(panel: Page, count: number): Promise<number[]> {
  await panel.evaluate(notePressed)
  const frame = panel.frames().find((each) => each.parentFrame() !== null)
  if (frame === undefined) throw new Error('there is no preview')
  await panel.getByLabel('Title').focus()
  await panel.keyboard.press('End')
  for (let key = 0; key < count; key++) {
    await panel.keyboard.press('x')
    await frame.waitForFunction(`painted.some(([length]) => length === ${key + 2})`)
  }
  const pressed = new Map(await panel.evaluate<[number, number][]>('pressed'))
  const painted = await frame.evaluate<[number, number][]>('painted')
  return painted.flatMap(([length, at]) => {
    const from = pressed.get(length)
    return length < 2 || from === undefined ? [] : [at - from]
  })
}

/** Measures the time from a key press in the panel's form to the preview beside it. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { keys: { type: 'string', default: '60' } } })
  const count = Number(values.keys)
  if (!(Number.isSafeInteger(count) && count > 0)) throw new Error(usage)
  const { node, load } = describeMachine()
  const cleanup = createCleanup()
  try {
    const site = await startSite()
    cleanup.add(site.stop)
    const service = await startFilled(cleanup, site.origin)
    await site.use(service.url)
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    cleanup.add(() => browser.close())
    const panel = await browser.newPage({ baseURL: service.url, viewport: { width: 1280, height: 860 } })
    const { username: identifier, password } = editor
    await panel.request.post('/api/admin/auth/login', { data: { identifier, password } })
    await panel.goto('/admin/content/page/1?panel=preview')
    await panel.getByText('The page follows what you type').waitFor()
    const times = (await timeKeys(panel, count)).sort((left, right) => left - right)
    const slow = times[Math.floor(times.length * 0.95)] ?? Number.NaN
    console.log(
      `Node ${node}, load before ${load.toFixed(1)}, ${times.length} keys, an entry of 100 fields\n`,
    )
    console.log(
      formatTable([
        ['', 'ms'],
        ['median', median(times).toFixed(1)],
        ['p95', slow.toFixed(1)],
      ]),
    )
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
