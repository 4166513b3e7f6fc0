module.exports = () => ({ 'users-permissions': { config: { jwtSecret: 'only-for-this-example' } } })
