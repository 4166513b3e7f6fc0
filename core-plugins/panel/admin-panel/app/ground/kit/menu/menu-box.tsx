import { Menu, MenuItem } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { Icon } from '../icon/icon.tsx'
import type { BoxProps } from '../opener/box-props.ts'
import classes from './menu.module.css'
import type { MenuAction } from './menu-action.ts'

export interface MenuBoxProps extends BoxProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
}

/** The list of actions that a menu opens. */
export default function MenuBox({ label, actions, ...box }: MenuBoxProps) {
  return (
    <Popover
      {...box}
      trigger="MenuTrigger"
      aria-label={label}
      className={classes.popover ?? ''}
      placement="bottom end"
      offset={4}
    >
      <Menu
        aria-label={label}
        autoFocus="first"
        onClose={() => box.onOpenChange(false)}
        className={classes.menu ?? ''}
      >
        {actions.map((action) => (
          <Item key={action.id} action={action} />
        ))}
      </Menu>
    </Popover>
  )
}

function Item({ action }: { readonly action: MenuAction }) {
  const { id, label, icon, isDangerous = false, isDisabled = false, onAction } = action
  return (
    <MenuItem
      id={id}
      textValue={label}
      isDisabled={isDisabled}
      onAction={onAction}
      className={`${classes.item} ${isDangerous ? classes.danger : ''}`}
    >
      {icon !== undefined && <Icon name={icon} />}
      {label}
    </MenuItem>
  )
}
