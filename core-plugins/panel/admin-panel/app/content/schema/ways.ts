import type { Access } from '../../ground/access/access.ts'
import type { DescribedType, DescribedWorkflow } from '../../ground/api/content-types.ts'

type Transition = DescribedWorkflow['transitions'][number]

/** A transition from a state, with whether the user may take it. */
export interface Way extends Transition {
  readonly isOpen: boolean
}

type WithWorkflow = Pick<DescribedType, 'name' | 'workflow'>

/** Applies the service's rule: users with the update permission may take transitions without roles; super admins may take all. */
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

/** The roles that may take a transition; empty if the transition is not restricted by roles. */
export const rolesOf = ({ roles = [] }: Transition): string => roles.join(', ')
