import { once } from 'node:events'
import { it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { importedBy, startImport } from '../migrations/import-process.ts'
import * as strapi from '../migrations/strapi-world.ts'
import * as wordpress from '../migrations/wordpress-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { seed } from './kill-plan.ts'
import { createRandom } from './random.ts'

const kills = Math.ceil(Number(process.env.CRASH_KILLS || 9) / 3)

/** What is said when a step begins, so that each kind of step is killed in the midst of it. */
const steps = ['Folders and files', 'Users', 'Entries']

const systems = [
  { name: 'Strapi', command: strapi.importArguments, assertAllThere: strapi.assertAllThere },
  { name: 'WordPress', command: wordpress.importArguments, assertAllThere: wordpress.assertSite },
]

eachDatabase((database) => {
  for (const { name, command, assertAllThere } of systems) {
    it(`an import from ${name} that was killed goes on, and brings nothing in twice`, () =>
      withProject({ database: database.name, schemas: {} }, async (project) => {
        const random = createRandom(`${seed} ${database.name} ${name}`)
        for (let kill = 0; kill < kills; kill += 1) {
          const child = startImport(project, command)
          const step = steps[kill % steps.length] ?? ''
          for await (const piece of child.stderr ?? []) if (String(piece).includes(step)) break
          await Promise.race([delay(random.below(600)), once(child, 'exit')])
          if (child.exitCode === null) {
            child.kill('SIGKILL')
            await once(child, 'exit')
          }
        }
        await importedBy(startImport(project, command))
        await assertAllThere(await startProcess({ project }).signIn())
      }))
  }
})
