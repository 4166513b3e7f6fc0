import type { Access } from '../../ground/access/access.ts'
import type { DescribedType, DescribedWorkflow } from '../../ground/api/content-types.ts'

type Transition = DescribedWorkflow['transitions'][number]

/** A transition that leads on from a state, as whoever is signed in sees it. */
export interface Way extends Transition {
  readonly isOpen: boolean
}

type WithWorkflow = Pick<DescribedType, 'name' | 'workflow'>

/** As the service decides: whoever may update takes transitions without roles; super-admins take all. */
export function waysFrom({ name, workflow }: WithWorkflow, state: string | undefined, access: Access): Way[] {
  const { user, isSuperAdmin } = access
  const mayUpdate = access.mayContent(name, 'update')
  return (workflow?.transitions ?? [])
    .filter(({ from }) => from === state)
    .map((transition) => {
      const { roles } = transition
      const isNamed = isSuperAdmin || roles === undefined || roles.includes(user.role)
      return { ...transition, isOpen: mayUpdate && isNamed }
    })
}

/** The roles that may take a transition; empty where its roles are not what is in the way. */
export const rolesOf = ({ roles = [] }: Transition): string => roles.join(', ')
