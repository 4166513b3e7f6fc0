import type { ReactElement } from 'react'
import { lazyPart } from '../../lazy/lazy-part.ts'
import { Opener } from '../opener/opener.tsx'
import type { MenuAction } from './menu-action.ts'

export interface MenuProps {
  /** The button that opens it. */
  readonly children: ReactElement
  readonly label: string
  readonly actions: readonly MenuAction[]
}

const load = () => import('./menu-box.tsx')
const MenuBox = lazyPart(load)

/** A button that opens a list of actions. */
export function Menu({ children, label, actions }: MenuProps) {
  return (
    <Opener kind="menu" trigger={children} load={load}>
      {(box) => <MenuBox {...box} label={label} actions={actions} />}
    </Opener>
  )
}
