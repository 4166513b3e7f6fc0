import { createArea } from '../../shell/area.tsx'
import { addParts } from '../../shell/panel-part.ts'
import { sections } from './sections.ts'

addParts('people', { auth: { sections } })

/** The area for accounts, roles and tokens. */
export default createArea({ title: 'shell.people', start: '/people' })
