import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import sharp from 'sharp'
import { createClient } from '../../client/client.ts'
import { imageUrl, srcset } from '../../client/images.ts'
import { image, startMediaService } from '../api/media-support.ts'
import { imageAt } from '../images/images-support.ts'
import { slow } from '../support/scope.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/images.md'), 'utf8')

describe('the examples of docs/images.md', slow, () => {
  it('do what it says', async (test) => {
    const env = { SVC_IMAGES_PRESETS: /`(\["hero=.*?"\])`/.exec(page)?.[1] ?? '' }
    const service = await startMediaService({ env })
    test.after(() => service.stop())
    for (let id = 1; id <= 3; id++) await service.add(await image(1000, 500), `${id}.png`)
    const token = (await service.post('/api/admin/auth/login', signIn)).body.data.token
    const cms = createClient<Record<string, never>>({ url: service.url, token })
    const code = /```ts\nimport [^\n]*\n(.*?)```/s.exec(page)?.[1] ?? ''
    const run = new AsyncFunction('cms', 'imageUrl', 'srcset', `${code}; return { html, cut }`)
    const { html, cut } = await run(cms, imageUrl, srcset)
    const addresses = [...html.matchAll(/\/api\/uploads\/\S+?\.(?:avif|webp)/g)].map(([url]) => url)
    assert.equal(addresses.length, 13)
    const sizes = new Set<number | undefined>()
    for (const url of addresses) sizes.add((await imageAt(service, url)).width)
    assert.deepEqual([...sizes].sort(byNumber), [256, 384, 640, 750, 828, 1000])
    const { width, height } = await imageAt(service, cut)
    assert.deepEqual([width, height], [800, 450])
    const photo = await cms.media.get(3)
    const hero = await imageAt(service, imageUrl(photo, { preset: 'hero' }))
    assert.equal((await sharp(hero.bytes).metadata()).height, 450)
  })
})

const signIn = { identifier: 'admin@example.com', password: 'a long password for tests' }

const byNumber = (left = 0, right = 0) => left - right

const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<{ html: string; cut: string }>
