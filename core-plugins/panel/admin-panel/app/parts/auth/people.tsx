import { createArea } from '../../shell/area.tsx'
import { sections } from './sections.ts'

export { sections }

/** Who may do what: accounts, roles and tokens. */
export default createArea({ title: 'shell.people', start: '/people', sections })
