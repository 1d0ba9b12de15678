// The screens that most people see once: they are loaded when a person first opens one of them.

export { ConsentScreen } from './consent/consent.js'
export { JoinScreen } from './join.js'
export { Welcome } from './sign-in/welcome.js'
