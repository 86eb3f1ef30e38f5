/** The configuration of a process: its Worker listens on this machine only, and its objects are files in a folder beside it. */
export const workerdConfig = (secret: string): string => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "disk", disk = (path = "objects", writable = true)) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ]);
const worker :Workerd.Worker = (
  modules = [ (name = "worker.js", esModule = embed "worker.js") ],
  compatibilityDate = "2026-11-01",
  bindings = [
    (name = "STORES", durableObjectNamespace = "ProjectStore"),
    (name = "SECRET", text = "${secret}") ],
  durableObjectNamespaces = [ (className = "ProjectStore", uniqueKey = "${objectsKey}", enableSql = true) ],
  durableObjectStorage = (localDisk = "disk"));
`;

/** The folder of the objects. */
export const objectsKey = 'projects';
