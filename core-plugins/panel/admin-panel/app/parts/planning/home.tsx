import type { Access } from '../../ground/access/access.ts'
import type { PanelPart } from '../../shell/panel-part.ts'
import { Recent } from './recent.tsx'
import { Scheduled } from './scheduled.tsx'

/** The tiles need the audit log, which records who has written what. */
const knowsWrites = ({ isOn }: Access) => isOn('audit')

export const planning: PanelPart = {
  homeTiles: [
    { id: 'mine', mayShow: knowsWrites, component: () => <Recent by="me" /> },
    { id: 'others', mayShow: knowsWrites, component: () => <Recent by="others" /> },
    { id: 'scheduled', component: Scheduled },
  ],
}
