import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { expectStatus, newApiToken, problemsOf } from '../api/auth-callers.ts'
import { image, type MediaService, startMediaService } from '../api/media-support.ts'
import { createClient } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'

eachDatabase(({ name }) => {
  describe(`what is said about files on ${name}`, () => {
    let service: MediaService
    let png: Uint8Array<ArrayBuffer>
    before(async () => {
      png = await image(40, 20)
      service = await startMediaService({ database: name })
    })
    after(() => service?.stop())

    const describeFile = (id: number, change: object) => service.admin.put(`/api/media/${id}`, change)
    const namesOf = async (query: string): Promise<string[]> => {
      const { body } = expectStatus(await service.admin.get(`/api/media?sort=id&${query}`), 200)
      return body.data.map(({ originalName }: { originalName: string }) => originalName)
    }

    it('has a focal point with both coordinates or none, gone with another content', slow, async () => {
      const { id, focalX, focalY } = await service.add(png, 'focus.png')
      assert.deepEqual([focalX, focalY], [null, null])
      const set = expectStatus(await describeFile(id, { focalX: 0.25, focalY: 1 }), 200).body.data
      assert.deepEqual([set.focalX, set.focalY], [0.25, 1])
      assert.deepEqual(problemsOf(await describeFile(id, { focalY: null })), { focalY: 'required' })
      assert.deepEqual(problemsOf(await describeFile(id, { focalX: -0.1, focalY: 1.5 })), {
        focalX: 'min',
        focalY: 'max',
      })
      const moved = expectStatus(await describeFile(id, { focalX: 0, focalY: 0 }), 200).body.data
      assert.deepEqual([moved.focalX, moved.focalY], [0, 0])
      const part = { name: 'file', content: await image(9, 9), filename: 'other.png' }
      const replaced = expectStatus(await service.send('PUT', `/api/media/${id}/file`, [part]), 200)
      assert.deepEqual([replaced.body.data.focalX, replaced.body.data.focalY], [null, null])
    })

    it(
      'has a placeholder if it is an image of pixels, which nobody can write and another content replaces',
      slow,
      async () => {
        const small = await service.add(png, 'small.png')
        assert.match(small.placeholder, /^[\w+/]{20,40}=*$/)
        const kept = expectStatus(await describeFile(small.id, { alt: 'Small', placeholder: 'x' }), 200).body
        assert.equal(kept.data.placeholder, small.placeholder)
        const part = { name: 'file', content: await image(900, 20, 'jpeg'), filename: 'other.jpg' }
        const replaced = expectStatus(await service.send('PUT', `/api/media/${small.id}/file`, [part]), 200)
        assert.notEqual(replaced.body.data.placeholder, small.placeholder)
        assert.equal((await service.add('just text', 'notes.txt')).placeholder, null)
        const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'
        assert.equal((await service.add(svg, 'drawing.svg')).placeholder, null)
        assert.equal((await service.add(png.slice(0, 60), 'cut.png')).placeholder, null)
      },
    )

    it('has tags, each once, by which files are found as a whole', async () => {
      const [one, two] = [await service.add(png, 'one.png'), await service.add(png, 'two.png')]
      const tagged = expectStatus(
        await describeFile(one.id, { tags: ' Press ,  summer 2026,press,, 50%_' }),
        200,
      )
      assert.equal(tagged.body.data.tags, 'Press, summer 2026, 50%_')
      expectStatus(await describeFile(two.id, { tags: 'pressed, late summer 2026' }), 200)
      for (const tag of ['press', 'summer 2026', '50%25_'])
        assert.deepEqual(await namesOf(`tag=${tag}`), ['one.png'])
      assert.deepEqual(await namesOf('tag=PRESSED'), ['two.png'])
      assert.deepEqual(await namesOf('tag=summer'), [])
      assert.equal(expectStatus(await describeFile(two.id, { tags: ' , ' }), 200).body.data.tags, null)
      assert.deepEqual(problemsOf(await describeFile(two.id, { tags: ['a'] })), { tags: 'type' })
      assert.deepEqual(problemsOf(await describeFile(two.id, { tags: 'x'.repeat(501) })), {
        tags: 'maxLength',
      })
    })

    it('is found by ids', async () => {
      const files = [await service.add(png, 'a.png'), await service.add(png, 'b.png')]
      const ids = files.map(({ id }) => id)
      assert.deepEqual(await namesOf(`ids=${ids.join(',')},999999`), ['a.png', 'b.png'])
      for (const wrong of ['', '0', '1,,2', 'x', '1;2', '-1']) {
        assert.equal((await service.admin.get(`/api/media?ids=${wrong}`)).status, 400, wrong)
      }
      const many = Array.from({ length: 500 }, (_, index) => 999_000 + index).join(',')
      assert.deepEqual(await namesOf(`ids=${many}`), [])
      assert.deepEqual(problemsOf(await service.admin.get(`/api/media?ids=${many},1`)), { ids: 'maxItems' })
    })

    it('changes for many at once, all or none, each problem with its place', async () => {
      const [one, two] = [await service.add(png, 'first.png'), await service.add(png, 'second.png')]
      const change = (files: unknown) => service.admin.put('/api/media/bulk', { files })
      const { data } = expectStatus(
        await change([
          { id: two.id, alt: 'Two', tags: 'x, X' },
          { id: one.id, alt: 'One' },
        ]),
        200,
      ).body
      assert.deepEqual(
        data.map(({ id, alt, tags }: Record<string, unknown>) => [id, alt, tags]),
        [
          [two.id, 'Two', 'x'],
          [one.id, 'One', null],
        ],
      )
      const wrong = await change([
        { id: one.id, alt: 'Changed' },
        { id: two.id, alt: 7, focalX: 0.5 },
      ])
      assert.deepEqual(problemsOf(wrong), { 'files[1].alt': 'type' })
      assert.deepEqual(problemsOf(await change([{ id: one.id, focalX: 0.5 }])), {
        'files[0].focalY': 'required',
      })
      assert.deepEqual(problemsOf(await change([{ id: one.id }, { id: one.id }])), {
        'files[1].id': 'unique',
      })
      assert.equal((await change([{ id: one.id, alt: 'Changed' }, { id: 999_999 }])).status, 404)
      for (const none of [[], {}, null, [{ alt: 'x' }], [null]])
        assert.equal((await change(none)).status, 400)
      assert.equal(expectStatus(await service.admin.get(`/api/media/${one.id}`), 200).body.data.alt, 'One')
    })

    it('goes with a part of an image, which becomes a file of its own', async () => {
      const half = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#fff' } })
        .composite([
          { input: { create: { width: 20, height: 20, channels: 3, background: '#f00' } }, left: 20, top: 0 },
        ])
        .png()
        .toBuffer()
      const whole = await service.add(new Uint8Array(half), 'half.red.png')
      expectStatus(await describeFile(whole.id, { alt: 'Half', tags: 'red', focalX: 0, focalY: 0 }), 200)
      const crop = (id: number, area: object) => service.admin.post(`/api/media/${id}/crop`, area)
      const part = expectStatus(await crop(whole.id, { x: 20, y: 5, width: 20, height: 15 }), 201).body.data
      assert.notEqual(part.id, whole.id)
      assert.deepEqual(
        [part.originalName, part.width, part.height, part.alt, part.tags, part.focalX],
        ['half.red (crop).png', 20, 15, 'Half', 'red', null],
      )
      const { dominant } = await sharp((await service.fetchFile(part.url)).bytes).stats()
      assert.ok(dominant.r > 200 && dominant.g < 50)
      assert.deepEqual((await service.fetchFile(whole.url)).bytes, half)
      assert.deepEqual(problemsOf(await crop(whole.id, { x: 30, y: 0, width: 20, height: 21 })), {
        width: 'max',
        height: 'max',
      })
      assert.equal((await crop(whole.id, { x: -1, y: 0.5, width: 0, height: 1 })).status, 400)
      assert.equal((await crop(999_999, { x: 0, y: 0, width: 1, height: 1 })).status, 404)
      const text = await service.add('just text', 'plain.txt')
      assert.deepEqual(problemsOf(await crop(text.id, { x: 0, y: 0, width: 1, height: 1 })), { id: 'image' })
      assert.deepEqual(service.incoming(), [])
    })

    it('is nobody’s without the rights', async () => {
      const { id } = await service.add(png, 'mine.png')
      const requests = [
        ['put', '/api/media/bulk', { files: [{ id, alt: 'x' }] }],
        ['post', `/api/media/${id}/crop`, { x: 0, y: 0, width: 1, height: 1 }],
        // Refused before it is looked at.
        ['post', '/api/media/999999/crop', { x: -1 }],
        ['put', '/api/media/bulk', { files: 7 }],
      ] as const
      for (const [method, path, body] of requests) {
        assert.equal((await service[method](path, body)).status, 401, path)
        for (const scopes of [['media:read'], ['media:delete'], ['content:write']]) {
          const { token } = await newApiToken(service, scopes)
          const caller = createClient(service.url, token)
          assert.equal((await caller[method](path, body)).status, 403, `${path} ${scopes}`)
        }
      }
      const { token } = await newApiToken(service, ['media:write'])
      assert.equal((await createClient(service.url, token).get(`/api/media?ids=${id}`)).status, 403)
      assert.equal((await createClient(service.url, token).get(`/api/media/usage?ids=${id}`)).status, 403)
      assert.equal((await service.get(`/api/media/usage?ids=${id}`)).status, 401)
    })
  })
})
