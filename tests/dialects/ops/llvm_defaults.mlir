"llvm.func"() <{function_type = !llvm.func<void ()>, sym_name = "g"}> ({}) : () -> ()
func.func @f(%p: !llvm.ptr, %i: i32) {
  %0 = "llvm.getelementptr"(%p, %i) <{elem_type = f32, rawConstantIndices = array<i32: -2147483648>}> {noWrapFlags = 0 : i32} : (!llvm.ptr, i32) -> !llvm.ptr
  %1 = "llvm.getelementptr"(%p, %i) <{elem_type = f32, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, i32) -> !llvm.ptr
  %2 = "llvm.getelementptr"(%p, %i) <{elem_type = f32, rawConstantIndices = array<i32: -2147483648>}> {noWrapFlags = 3 : i32} : (!llvm.ptr, i32) -> !llvm.ptr
  return
}
