import { content } from '../content/entry/entry-part.ts'
import { registerBuiltInFields } from '../content/fields/built-in.ts'
import { discussion } from '../parts/discussion/entry.ts'
import { http } from '../parts/http/entry.ts'
import { i18n } from '../parts/i18n/entry.ts'
import { media } from '../parts/media/entry.ts'
import { presence } from '../parts/panel-events/entry.ts'
import { preview } from '../parts/preview/entry.ts'
import { releases } from '../parts/releases/entry.ts'
import { revisions } from '../parts/revisions/entry.ts'
import { usages } from '../parts/usages/entry.ts'
import { addParts } from '../shell/panel-part.ts'

registerBuiltInFields()

// In their order in the title bar and beside the form.
addParts('entry', {
  preview,
  content,
  'admin-panel': presence,
  i18n,
  discussion,
  revisions,
  usages,
  releases,
  http,
  media,
})
