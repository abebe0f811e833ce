; A jump table, a loop with two exits, a select, and an unreachable.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @jumps(ptr %data, i32 %op, i32 %n) {
entry:
  switch i32 %op, label %other [ i32 0, label %a
                                 i32 1, label %b
                                 i32 2, label %c
                                 i32 3, label %d
                                 i32 4, label %a2
                                 i32 5, label %b2 ]
a:
  br label %loop
a2:
  br label %loop
b:
  br label %loop
b2:
  br label %loop
c:
  ret void
d:
  call void @llvm.trap()
  unreachable
other:
  br label %loop
loop:
  %i = phi i32 [ 0, %a ], [ 1, %a2 ], [ 7, %b ], [ 11, %b2 ], [ 3, %other ], [ %next, %again ]
  %p = getelementptr i32, ptr %data, i32 %i
  %v = load i32, ptr %p
  %stop = icmp eq i32 %v, 0
  br i1 %stop, label %done, label %again
again:
  %big = icmp sgt i32 %v, 100
  %step = select i1 %big, i32 2, i32 1
  %next = add nsw i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %last = phi i32 [ %i, %loop ], [ %next, %again ]
  store i32 %last, ptr %data
  ret void
}

declare void @llvm.trap()
