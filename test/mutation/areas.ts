import type { DialectName } from '../../core-plugins/foundation/database/database.ts'

/** Sources that are mutated together, and the tests that are expected to notice. */
export interface Area {
  readonly name: string
  /** Folders of sources, from the project's root. */
  readonly folders: readonly string[]
  /** A test file belongs to the area when its path contains one of these. */
  readonly tests: readonly string[]
  /** What the tests run on: SQLite alone, the fastest, unless some of the sources are for other databases only. */
  readonly databases?: readonly DialectName[]
}

/** Where a wrong answer loses data or gives rights away. */
export const areas: readonly Area[] = [
  {
    name: 'content-write',
    folders: ['core-plugins/entries/content/write'],
    tests: [
      'test/content/',
      'test/api/content-',
      'contract/content-',
      'contract/draft-overlay',
      'contract/i18n',
    ],
  },
  {
    name: 'auth',
    folders: ['core-plugins/accounts/auth'],
    tests: [
      'test/api/auth-',
      'test/api/permission-matrix',
      'test/cli/admin',
      'test/social-login/',
      'contract/delegation',
      'contract/social-login',
    ],
  },
  { name: 'restore', folders: ['core-plugins/administration/backups/restore'], tests: ['test/backups/'] },
  {
    name: 'sync',
    folders: ['core-plugins/foundation/database/sync'],
    tests: [
      'contract/database-conversion',
      'contract/database-loss',
      'contract/database-memory',
      'contract/database-plan',
      'contract/database-rename',
      'contract/database-sync',
      'contract/drafts-switched',
    ],
    databases: ['sqlite', 'postgres'],
  },
  { name: 'jobs', folders: ['core-plugins/background/jobs'], tests: ['test/jobs/'] },
]
