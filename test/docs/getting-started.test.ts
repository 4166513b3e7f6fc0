import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expectStatus, startTestService } from 'mortise/testing'
import { writeProject } from '../../create-mortise/source/write-project.js'
import { moduleProject } from '../support/plugin-file.ts'
import { createProject } from '../support/project.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/getting-started.md'), 'utf8')

/** The requests that the page sends with its function `api`. */
const requests = [...text.matchAll(/^api '?([^\s']+)'?(?: -d '(.+)')?(?: -X (\w+))?$/gm)]

describe('docs/getting-started.md', () => {
  it('shows requests that a new project answers', async (test) => {
    const project = await createProject({ files: moduleProject })
    test.after(() => project.remove())
    const projectFolder = project.workingDirectory
    writeProject({ folder: projectFolder, name: 'my-site', database: 'sqlite', mortise: '^0.1.0' })

    const [, attribute = ''] = /^```json\n(.*?)^```$/ms.exec(text) ?? []
    const schemaFile = join(projectFolder, 'schemas/article.json')
    const schema = JSON.parse(readFileSync(schemaFile, 'utf8'))
    Object.assign(schema.attributes, JSON.parse(`{${attribute}}`))
    writeFileSync(schemaFile, JSON.stringify(schema))

    const service = await startTestService({ projectFolder })
    test.after(() => service.stop())
    const [, hello = ''] = /^# (\{.*\})$/m.exec(text) ?? []
    assert.deepEqual((await service.anonymous.get('/api/x/hello')).body, JSON.parse(hello))

    assert.equal(requests.length, 4)
    const answers: unknown[] = []
    for (const [, path, body, method = body === undefined ? 'GET' : 'POST'] of requests) {
      const answer = await service.admin.request(method, `/api/${path}`, { body })
      answers.push(expectStatus(answer, method === 'POST' ? 201 : 200).body.data)
    }
    assert.deepEqual(answers.at(-1), [{ id: 1, title: 'Hello', author: answers[0] }])
    assert.equal(
      (await service.create('article', { title: 'b', slug: 'b', readingMinutes: 2 })).readingMinutes,
      2,
    )
  })
})
