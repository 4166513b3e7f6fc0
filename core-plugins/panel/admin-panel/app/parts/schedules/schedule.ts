export const schedulesResource = {
  key: 'schedules',
  path: '/admin/scheduled-jobs',
  hasItems: true,
  refreshMs: 15_000,
}
