import assert from 'node:assert/strict'
import { it } from 'node:test'
import { assertSite, importedSite, siteCounts, uuidsOfFiles } from '../migrations/wordpress-world.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'

eachDatabase((database) => {
  it('brings in a site of WordPress, once', slow, () =>
    withProject({ database: database.name, schemas: {} }, async (project) => {
      const report = await importedSite(project)
      const counts = Object.fromEntries(
        report.counts.map(({ subject, there, here }) => [subject, [there, here]]),
      )
      for (const [subject, count] of Object.entries(siteCounts))
        assert.deepEqual(counts[subject], [count, count], subject)
      assert.deepEqual(report.problems, [])
      const told = (subject: string) =>
        report.findings.filter((finding) => finding.subject === subject).map(({ message }) => message)
      assert.match(told('post').join('\n'), /private entries, which are drafts here: “For the crew”/)
      assert.match(told('post').join('\n'), /with a password, which are drafts here: “With a password”/)
      assert.match(told('2 comments').join('\n'), /are not brought in/)
      assert.match(told('hidden custom fields').join('\n'), /_yoast_wpseo_title \(1\)/)

      const admin = await startProcess({ project }).signIn()
      await assertSite(admin)
      const latest = async () =>
        (await admin.get('/api/content/post?sort=updated_at:desc&limit=100')).body.data
      const before = await latest()
      await importedSite(project)
      const again = await importedSite(project, '--again')
      assert.deepEqual([again.created, again.updated], [0, 0])
      assert.deepEqual(await latest(), before, 'further runs change nothing')
      await assertSite(admin)

      const query = 'limit=100&fields=featuredImage&populate[featuredImage][fields]=uuid,originalName'
      const posts = (await admin.get(`/api/content/post?${query}`)).body.data
      const images = posts.flatMap((post: { featuredImage: object | null }) => post.featuredImage ?? [])
      const uuids = await uuidsOfFiles()
      assert.deepEqual(
        images.map(({ originalName, uuid }: Record<string, string>) => [originalName, uuid]),
        [['harbour.png', uuids.get('harbour.png')]],
      )
    }),
  )
})
