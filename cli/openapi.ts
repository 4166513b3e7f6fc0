import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { docsService } from '../core-plugins/docs/docs.ts'
import { defineCoreCommand } from './command.ts'
import { startInMemory } from './partial-service.ts'

const defaultFile = 'openapi.json'

export const openapiCommand = defineCoreCommand({
  name: 'openapi',
  summary: 'writes the OpenAPI document of all routes; needs no database',
  example: 'openapi docs/openapi.json',
  arguments: { file: { summary: `where to, - for stdout (default: ${defaultFile})`, isOptional: true } },
  async run({ project, arguments: { file = defaultFile } }) {
    const kernel = await startInMemory(project)
    try {
      const text = JSON.stringify(kernel.get(docsService).document(), null, 2)
      if (file === '-') return text
      const path = resolve(project.workingDirectory, file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, `${text}\n`)
      return `Wrote ${file}`
    } finally {
      await kernel.stop()
    }
  },
})
