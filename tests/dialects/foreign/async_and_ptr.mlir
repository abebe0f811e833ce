func.func @pointers(%p: !ptr.ptr<#ptr.generic_space>, %q: !ptr.ptr<#ptr.generic_space>, %n: index, %x: f32, %m: memref<?xf32, #ptr.generic_space>) -> f32 {
  %0 = ptr.load %p : !ptr.ptr<#ptr.generic_space> -> f32
  %1 = ptr.load volatile %p atomic syncscope("agent") acquire nontemporal alignment = 8 : !ptr.ptr<#ptr.generic_space> -> f32
  %2 = ptr.load %p atomic monotonic invariant_group alignment = 4 : !ptr.ptr<#ptr.generic_space> -> f32
  ptr.store %x, %p : f32, !ptr.ptr<#ptr.generic_space>
  ptr.store volatile %x, %p atomic release alignment = 16 : f32, !ptr.ptr<#ptr.generic_space>
  %3 = ptr.ptr_add %p, %n : !ptr.ptr<#ptr.generic_space>, index
  %4 = ptr.ptr_add inbounds %3, %n : !ptr.ptr<#ptr.generic_space>, index
  %5 = ptr.ptr_diff %p, %4 : !ptr.ptr<#ptr.generic_space> -> index
  %6 = ptr.ptr_diff nuw %p, %q : !ptr.ptr<#ptr.generic_space> -> i64
  %7 = ptr.type_offset vector<4xf32> : index
  %8 = ptr.to_ptr %m : memref<?xf32, #ptr.generic_space> -> !ptr.ptr<#ptr.generic_space>
  %9 = ptr.get_metadata %m : memref<?xf32, #ptr.generic_space>
  %10 = ptr.from_ptr %8 metadata %9 : !ptr.ptr<#ptr.generic_space> -> memref<?xf32, #ptr.generic_space>
  return %0 : f32
}
// -----
func.func @several(%ps: vector<4x!ptr.ptr<#ptr.generic_space>>, %p: !ptr.ptr<#ptr.generic_space>, %mask: vector<4xi1>, %x: vector<4xf32>) -> vector<4xf32> {
  %0 = ptr.gather %ps, %mask, %x : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  %1 = ptr.gather %ps, %mask, %x alignment = 4 : vector<4x!ptr.ptr<#ptr.generic_space>> -> vector<4xf32>
  ptr.scatter %x, %ps, %mask alignment = 8 : vector<4xf32>, vector<4x!ptr.ptr<#ptr.generic_space>>
  %2 = ptr.masked_load %p, %mask, %x alignment = 4 : !ptr.ptr<#ptr.generic_space> -> vector<4xf32>
  ptr.masked_store %2, %p, %mask : vector<4xf32>, !ptr.ptr<#ptr.generic_space>
  return %0 : vector<4xf32>
}
// -----
func.func @runtime(%value: !async.value<f32>, %token: !async.token, %group: !async.group, %x: f32, %n: index) -> (f32, i1, index) {
  async.runtime.store %x, %value : !async.value<f32>
  %0 = async.runtime.load %value : !async.value<f32>
  %1 = async.runtime.is_error %value : !async.value<f32>
  %2 = async.runtime.add_to_group %token, %group : !async.token
  %3 = async.runtime.create : !async.value<vector<4xi32>>
  %4 = async.runtime.create_group %n : !async.group
  %5 = async.runtime.num_worker_threads : index
  async.runtime.add_ref %value {count = 1 : i64} : !async.value<f32>
  async.runtime.drop_ref %value {count = 1 : i64} : !async.value<f32>
  async.runtime.set_available %value : !async.value<f32>
  async.runtime.set_error %token : !async.token
  async.runtime.await %token : !async.token
  %6 = async.create_group %n : !async.group
  %7 = async.add_to_group %token, %6 : !async.token
  async.await_all %6
  return %0, %1, %2 : f32, i1, index
}
// -----
func.func @coroutine(%token: !async.token) {
  %id = async.coro.id
  %handle = async.coro.begin %id
  %state = async.coro.save %handle
  async.runtime.await_and_resume %token, %handle : !async.token
  async.coro.suspend %state, ^suspend, ^resume, ^cleanup
^resume:
  async.runtime.resume %handle
  cf.br ^cleanup
^cleanup:
  async.coro.free %id, %handle
  cf.br ^suspend
^suspend:
  async.coro.end %handle
  return
}
// -----
async.func @callee(%x: f32) -> !async.value<f32> {
  return %x : f32
}
func.func @caller(%x: f32) -> f32 {
  %0 = async.call @callee(%x) : (f32) -> !async.value<f32>
  %1 = async.await %0 : !async.value<f32>
  return %1 : f32
}
