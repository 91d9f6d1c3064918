import type { Calls } from "../calls/calls.ts";

/** A call whose options stand in the file that does it. */
export interface OperatorCall {
  readonly name: string;
  readonly description: string;
  /** Loads the file; what it gives adds the options and the action to the call. */
  readonly load: () => Promise<(calls: Calls) => void>;
}

/** The calls for whoever runs a store. Each is loaded when it is named, before it is parsed. */
export const operatorCalls: readonly OperatorCall[] = [
  {
    name: "provision",
    description: "as an operator: users, and who may do what with which stream of EventStoreDB",
    load: async () => (await import("../calls/provision.ts")).addProvisionCall,
  },
  {
    name: "doctor",
    description: "look at an EventStoreDB server and say what is wrong with it",
    load: async () => (await import("../calls/doctor.ts")).addDoctorCall,
  },
  {
    name: "copy",
    description: "copy every window with its verdicts to another store, and compare the two",
    load: async () => (await import("../calls/copy.ts")).addCopyCall,
  },
];
