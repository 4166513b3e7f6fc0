import { resolve } from 'node:path'
import { openWordpress } from '../core-plugins/migrations/migrations.ts'
import { defineCoreCommand } from './command.ts'
import { listIn } from './list-option.ts'
import { bringIn, withMigrationErrors } from './migration.ts'
import { migrationName, migrationOptions } from './migration-options.ts'

export const importWordpressCommand = defineCoreCommand({
  name: 'import wordpress',
  summary:
    'brings in the posts, pages, terms, authors and files of an export of WordPress (WXR); --dry-run tries it',
  example: 'import wordpress export.xml --uploads wp-content/uploads --dry-run',
  arguments: { file: { summary: 'what Tools > Export of WordPress has written, or `wp export`' } },
  options: {
    ...migrationOptions,
    uploads: {
      type: 'string',
      summary: 'the folder wp-content/uploads of the site; without it, files are fetched from the site',
    },
    types: { type: 'string', summary: 'only these types of posts, by their names in WordPress: post,page' },
  },
  hasJson: true,
  run: (input) =>
    withMigrationErrors(async () => {
      const { project, arguments: given, options } = input
      const path = resolve(project.workingDirectory, given.file)
      const types = options.types === undefined ? undefined : listIn(options.types)
      const uploads =
        options.uploads === undefined ? undefined : resolve(project.workingDirectory, options.uploads)
      const source = await openWordpress(path, { uploads, types })
      try {
        return await bringIn(source, { ...input, name: await migrationName(source, path, types) })
      } finally {
        await source.close()
      }
    }),
})
